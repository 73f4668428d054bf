"""English words whose forms the Porter stemmer does not join: ``went`` is a form of ``go``."""

from __future__ import annotations

_VERBS = """
    arise arose arisen | awake awoke awoken | bear bore borne | beat beaten | become became | begin began begun | bend bent | bind bound
    bite bit bitten | bleed bled | blow blew blown | break broke broken | breed bred | bring brought | build built | burn burnt | buy bought
    catch caught | choose chose chosen | cling clung | come came | creep crept | deal dealt | dig dug | draw drew drawn | dream dreamt
    drink drank drunk | drive drove driven | eat ate eaten | fall fell fallen | feed fed | feel felt | fight fought | find found
    flee fled | fling flung | fly flies flew flown | forbid forbade forbidden | forget forgot forgotten | forgive forgave forgiven
    freeze froze frozen | give gave given | go goes went gone | grind ground | grow grew grown | hang hung | hear heard
    hide hid hidden | hold held | keep kept | kneel knelt | know knew known | lay laid | lead led | leap leapt | learn learnt | leave left
    lend lent | lie lying lain | light lit | lose lost | make made | mean meant | meet met | mistake mistook mistaken | overcome overcame
    pay paid | prove proven | ride rode ridden | ring rang rung | rise rose risen | run ran | say said | see saw seen | seek sought
    sell sold | send sent | sew sewn | shake shook shaken | shine shone | shoot shot | show shown | shrink shrank shrunk | sing sang sung
    sink sank sunk | sit sat | sleep slept | slide slid | smell smelt | sow sown | speak spoke spoken | speed sped | spell spelt
    spend spent | spill spilt | spin spun | spit spat | spoil spoilt | spring sprang sprung | stand stood | steal stole stolen
    stick stuck | sting stung | stink stank stunk | strike struck stricken | strive strove striven | swear swore sworn | sweep swept
    swell swollen | swim swam swum | swing swung | take took taken | teach taught | tear tore torn | tell told | think thought
    throw threw thrown | tread trod trodden | undergo underwent undergone | understand understood | undertake undertook undertaken
    undo undid undone | wake woke woken | wear wore worn | weave wove woven | weep wept | win won | wind wound
    withdraw withdrew withdrawn | write wrote written | rebuild rebuilt | rewrite rewrote rewritten | resend resent
    oversee oversaw overseen | overtake overtook overtaken | foresee foresaw foreseen | mislead misled | misunderstand misunderstood
    outgrow outgrew outgrown | retell retold | rethink rethought | retake retook retaken | redo redid redone | repay repaid
"""
_NOUNS = """
    man men | woman women | child children | person people | foot feet | tooth teeth | goose geese | mouse mice | ox oxen | louse lice
    wife wives | life lives | knife knives | leaf leaves | shelf shelves | half halves | wolf wolves | calf calves | loaf loaves
    thief thieves | scarf scarves | self selves | elf elves | hoof hooves | analysis analyses | basis bases | crisis crises
    hypothesis hypotheses | thesis theses | diagnosis diagnoses | phenomenon phenomena | criterion criteria | index indices
    matrix matrices | vertex vertices | appendix appendices | medium media | datum data | curriculum curricula | bacterium bacteria
    fungus fungi | cactus cacti | stimulus stimuli | nucleus nuclei | alumnus alumni | schema schemata | die dice | penny pence
    grandchild grandchildren | stepchild stepchildren | businessman businessmen | businesswoman businesswomen | policeman policemen
    fireman firemen | salesman salesmen | fisherman fishermen | chairman chairmen | snowman snowmen
"""
_ALSO_ANOTHER_WORD = "bit bore bound bases dice die ground leaves lives media resent rose wind wound"
"""Looked for as forms, but themselves looked for as they are: who asks for a rose wants no rise."""


def _groups() -> dict[str, tuple[str, ...]]:
    lines = f"{_VERBS}|{_NOUNS}".replace("\n", "|").split("|")
    ambiguous = frozenset(_ALSO_ANOTHER_WORD.split())
    found: dict[str, tuple[str, ...]] = {}
    for forms in filter(None, (tuple(line.split()) for line in lines)):
        for form in forms:
            if form not in ambiguous:
                found[form] = tuple(other for other in forms if other != form)
    return found


_FORMS = _groups()


def other_forms(word: str) -> tuple[str, ...]:
    """The other irregular forms of ``word``, which is in lower case; none for most words."""
    return _FORMS.get(word, ())
