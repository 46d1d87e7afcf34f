"""A message: a key of the catalogue and the fields of its sentence. A catalogue renders it in one language."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Form = Literal["text", "short", "spoken", "caption"]

SENTENCES = "list.sentences"
"""The key of several sentences, each of which is rendered in the same form."""


@dataclass(frozen=True)
class Message:
    """A sentence that is not rendered yet.

    `key` names section and sentence, such as `prompt.to_throw`; the empty key stands for no sentence, and is false.
    `fields` holds names, numbers, tuples of them, and other messages. `form` is the form to render: the sentence, its
    short form of at most 21 characters, what the voice says, or a caption of at most 24 characters.
    """

    key: str
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
    form: Form = "text"

    def __bool__(self) -> bool:
        return bool(self.key)

    @property
    def text(self) -> "Message":
        """This message as a sentence."""
        return self.render_as("text")

    @property
    def short(self) -> "Message":
        """This message in its short form."""
        return self.render_as("short")

    @property
    def spoken(self) -> "Message":
        """This message as the voice says it."""
        return self.render_as("spoken")

    def render_as(self, form: Form) -> "Message":
        """Return this message in a form; of several sentences, each in this form."""
        if form == self.form:
            return self
        if self.key == SENTENCES:
            return replace(self, fields={"said": tuple(in_form(each, form) for each in self.fields["said"])}, form=form)
        return replace(self, form=form)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, handler: Any) -> Any:
        """Describe a message as text, which it is once it has been rendered; pydantic alone calls this."""
        return handler.generate_schema(str)


Text = Message | str
"""A message, or text that no catalogue holds: a name, or what a catalogue has rendered."""

NOTHING = Message("")


def message(key: str, /, **fields: Any) -> Message:
    """Return the message of a key with these fields."""
    return Message(key, fields)


def in_form(said: Text, form: Form) -> Text:
    """Return a message in another form; other text has one form alone."""
    return said.render_as(form) if isinstance(said, Message) else said


def because(what: Text, reason: Text) -> Message:
    """Return a fault with its reason for developers, which the voice does not say."""
    return message("fault.because", what=what, reason=reason)


def joined(*messages: Text) -> Text:
    """Return one message that says several sentences, in their order; empty ones are left out."""
    said = tuple(each for each in messages if each)
    if len(said) < 2:
        return said[0] if said else NOTHING
    return message(SENTENCES, said=said)
