"""SQL from anybody over datasets: macros for chess, named examples, and a database that can neither write nor look around."""
