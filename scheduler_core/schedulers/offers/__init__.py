"""Offer-based schedulers: a master offers machines, and frameworks accept or decline them."""
