"""Speed, measured beside yardsticks that run in the same minute on the same machine."""
