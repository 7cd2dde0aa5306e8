"""What every widget of the course needs: named controls, and what mends them in the page."""
