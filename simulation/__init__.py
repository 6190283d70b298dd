"""A simulation of the whole site: real code on a seeded event loop with a virtual clock. See docs/simulation.md."""
