"""The errors of the league."""


class LeagueError(ValueError):
    """Something that the league cannot use; the text says what was expected and what came."""


class UnknownFormError(LeagueError):
    """A board of another version sends what this league does not know."""
