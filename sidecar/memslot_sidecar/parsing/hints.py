"""What a person, or the model, can do about a reject. No hint quotes an argument."""

from __future__ import annotations

_HINTS = {
    "TRUNCATED": "the output ends before the action does: raise the output limit or split the value, then ask for it again",
    "MALFORMED_JSON": "this is not JSON: write one complete JSON object with double quotes and escaped line feeds",
    "MALFORMED_CALL": "the call's arguments are no literals: write name=value pairs with quoted texts, numbers, lists or dicts",
    "MALFORMED_MARKUP": "the call's tags do not fit together: open and close each argument and the call",
    "AMBIGUOUS": "this can be read in two ways: escape quotes and backslashes inside the text",
    "AMBIGUOUS_MARKUP": "the value holds tags of the call itself, so its end is uncertain: give the arguments as JSON",
    "AMBIGUOUS_NAME": "two actions are named in one call: make two calls",
    "AMBIGUOUS_ARGUMENTS": "arguments stand at two places in one call: give them once, in one object",
    "DUPLICATE_KEY": "a key stands twice with different values: give it once",
    "NOT_A_NUMBER": "NaN and Infinity are not JSON: give null or a text",
    "NUMBER_OUT_OF_RANGE": "a number is too large to keep: give it as a text",
    "TOO_DEEP": "the value is nested more than 128 levels deep: flatten it, or give it as a text",
    "LONE_SURROGATE": "{} holds half a character (a lone surrogate): write the name without it",
    "MISSING_ARGUMENT": "the argument `{}` is missing: name it exactly so",
    "NOT_A_TEXT": "`{}` is not a text: put it in double quotes",
    "ARGUMENTS_NOT_AN_OBJECT": "the arguments are not one JSON object: give an object with the arguments by name",
    "TEXT_AFTER_ARGUMENTS": "something follows the arguments: give one JSON object and nothing else",
    "UNKNOWN_ACTION": "no action has this name: use {}",
    "FOREIGN_NAMESPACE": "the name carries a prefix that is not known as ours: configure the prefix, or use the plain name",
    "PLACEHOLDER": "the arguments are placeholders, as in an instruction: put real ones in their place",
    "SCHEMA_NOT_CALL": "this is the schema of {}, not a call of it",
    "NESTED_ACTION": "an action inside other JSON is not run: write it on its own",
    "UNREADABLE_CALL": "an action is named where a call belongs, but no call can be read: use one documented shape",
    "QUOTED_INLINE": "an action quoted in inline code is taken as an example: write it on its own, without backticks",
    "EXAMPLE": "a fence labelled as an example is not run: write the action without the label",
    "SAMPLE_CODE": "a fence of code that holds more than calls is taken as code for the user: write the call on its own",
    "MID_SENTENCE": "a call in the middle of a sentence is taken as a mention: write it on a line of its own",
    "REASONING_NOT_CLOSED": "the reasoning is not closed, so this is taken as a draft: close it before the call",
    "REASONING_UNCLEAR": "a second end of reasoning follows, so this may be a draft: make the call after it",
    "AFTER_INVENTED_RESULT": "this follows a result that the model made up itself: answer the first call, then ask again",
    "QUOTED_BESIDE_CALLS": "the message has tool calls, so an action in its text is taken as a quotation: make it a tool call",
    "TOO_TANGLED": "there are too many broken objects to look into them all: write fewer and complete ones",
}
_REPAIRS = {
    "backtick_quotes": "the text stands in backticks: use double quotes",
    "bare_argument": "the argument has no name and no quotes: give a JSON object",
    "close_tag_in_value": "the value holds its own closing tag: give the arguments as JSON",
    "comment": "JSON has no comments: leave them out",
    "double_encoded": "the arguments are encoded twice: encode them once",
    "duplicate_key": "a key stands twice: give it once",
    "escaped_apostrophe": "an apostrophe needs no backslash in JSON: leave it out",
    "escaped_object": "the quotes of the whole object are escaped: write it without backslashes",
    "fence_around_arguments": "there is a fence inside the arguments: give the JSON object alone",
    "html_entities": "the object is HTML-escaped: write plain quotes",
    "list_around_arguments": "the arguments stand in a list: give the object alone",
    "literal_backslashes": "backslashes are not escaped: write each one twice",
    "lone_surrogate": "a text holds half a character (a lone surrogate): write the whole character",
    "merged_calls": "the arguments hold several objects: make one call for each",
    "missing_brace": "the last brace is missing: close the object",
    "missing_comma": "a comma is missing between two members: add it",
    "name_spelling": "the name is spelt differently: use the exact name",
    "name_prefix": "the name has a prefix: use the exact name",
    "odd_space": "there are spaces that JSON does not know: use plain ones",
    "positional_arguments": "the arguments have no names: write name=value",
    "raw_control": "a line feed or control character stands raw in a text: escape it",
    "single_quotes": "texts stand in single quotes: use double quotes",
    "smart_quotes": "texts stand in curly quotes: use straight ones",
    "fullwidth_quotes": "texts stand in full-width quotes: use plain ones",
    "stray_brackets": "stray brackets follow the arguments: leave them out",
    "trailing_comma": "a comma follows the last member: leave it out",
    "tuple": "JSON has no tuples: use a list",
    "unescaped_quotes": 'quotes inside a text are not escaped: write \\" for each',
    "unquoted_key": "keys stand without quotes: use double quotes",
    "wrapper": "the action stands inside another object: write it on its own",
}


def hint(reason: str, detail: str = "") -> str:
    """The hint for a reason; ``detail`` is a name of ours."""
    return _HINTS[reason].format(detail)


def strict_hint(repair: str) -> str:
    """The hint for an action that only lenient mode takes."""
    said = _REPAIRS.get(repair, f"{repair.replace('_', ' ')}: use one documented shape exactly")
    return f"{said}; lenient mode takes it and marks it"
