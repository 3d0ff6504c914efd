"""The pages: thin views that hand data to templates; everything that moves is in static/js."""
