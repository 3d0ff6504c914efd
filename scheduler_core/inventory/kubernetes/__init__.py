"""Read what `kubectl get ... -o json` or `-o yaml` prints."""
