"""Worker processes for long computations, and the scheduler of periodic tasks."""
