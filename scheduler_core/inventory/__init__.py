"""Clusters of users: read machines and work from Kubernetes and Slurm, and keep them in one columnar file."""
