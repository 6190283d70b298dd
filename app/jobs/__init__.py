"""Long computations in worker processes, so that no request ever waits for one. Knows nothing of the web."""
