"""The pages of a league: live boards, reviews, seasons, ratings, and the organiser's page."""
