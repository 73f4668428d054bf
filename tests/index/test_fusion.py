"""Fusion: scores of words and vectors made one."""

from hypothesis import given
from hypothesis import strategies as st

from memslot_index.fusion import by_text, by_vector, combined

SCORES = st.dictionaries(st.integers(1, 50), st.floats(0.01, 100, allow_nan=False), max_size=20)


def test_words_are_measured_against_what_they_could_reach() -> None:
    """A query whose words hardly match anything does not look certain, though something is its best hit."""
    sure, unsure = by_text({1: 15.0}, 2, 10_000), by_text({1: 1.5}, 2, 10_000)
    assert sure[1] == 1.0
    assert 0.05 < unsure[1] < 0.2


def test_a_common_word_among_few_documents_does_not_look_certain() -> None:
    """The best hit is no measure however few there are: one word of three that half of the documents have counts little."""
    assert by_text({1: 0.4}, 3, 10)[1] < 0.1
    assert by_text({1: 0.000001}, 1, 1)[1] < 0.1


def test_the_band_of_the_candidates_is_the_measure_of_vectors() -> None:
    """The nearest counts one, the last of the nearest and who is further away nothing."""
    assert by_vector({1: 0.9, 2: 0.8, 3: 0.7, 4: 0.1}, [1, 2, 3]) == {1: 1.0, 2: 0.5000000000000002, 3: 0.0, 4: 0.0}


def test_one_candidate_alone_is_the_best() -> None:
    """A list of one has no span, and its candidate is not punished for that."""
    assert by_vector({7: 0.2}, [7]) == {7: 1.0}
    assert by_vector({}, []) == {}
    assert by_text({}, 3, 1000) == {}


def test_who_stands_in_one_list_only_has_nothing_from_the_other() -> None:
    """A candidate of one list is kept, with its share of that list."""
    assert combined({1: 1.0}, {2: 1.0}, 0.6) == {1: 0.6, 2: 0.4}


@given(SCORES, SCORES)
def test_order_within_one_list_survives(text: dict[int, float], vector: dict[int, float]) -> None:
    """Of two candidates with the same similarity the one with the better words comes first."""
    both = combined(by_text(text, 3, 10), dict.fromkeys(vector, 0.5))
    shared = [key for key in text if key in vector]
    for one in shared:
        for other in shared:
            if text[one] > text[other]:
                assert both[one] >= both[other]
