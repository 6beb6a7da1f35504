"""The simulated campus web: fictional outlets, servers and moods. It judges the crawler from outside."""
