"""From parts to an order."""

from __future__ import annotations

from search_core.domain.result import HiddenReason, RankingOptions
from search_core.search.ranking.filter import arrange, in_order


def test_of_nearly_equal_results_the_newer_comes_first(scored_hit):
    """Within three points the date decides, then Korean, then a name of the video, then the score; four are four."""
    undated, old, new = scored_hit(0.53), scored_hit(0.52, day=(1, 5)), scored_hit(0.5, day=(11, 2))
    better, named = scored_hit(0.54, title="better"), scored_hit(0.53, title="named", names=["GTC"])
    assert in_order([undated, old, new]) == [new, old, undated]
    assert in_order([new, old, better]) == [old, better, new]
    assert in_order([undated, named, better]) == [named, better, undated]
    assert in_order([scored_hit(0.5, names=["GTC"]), better])[0] == better
    korean, foreign = scored_hit(0.5, title="대역폭"), scored_hit(0.52, title="Bandwidth", snippet="It is wide.")
    assert in_order([foreign, korean]) == [korean, foreign]
    newer = scored_hit(0.52, title="Bandwidth", snippet="Wide.", day=(11, 2))
    assert in_order([korean, newer]) == [newer, korean]


def test_the_score_decides_which_results_are_shown_and_where(scored_hit):
    """A match of 71 is not pushed out or passed by one that names somebody."""
    best, good, named = scored_hit(0.71, title="best"), scored_hit(0.62, title="good"), scored_hit(0.58, names=["엔비디아"])
    weak = scored_hit(0.4, title="weak", names=["엔비디아"])
    shown, hidden = arrange([weak, named, good, best], RankingOptions(threshold=0.35, max_results=3))
    assert shown == (best, good, named)
    assert hidden == (weak,)
    shown, hidden = arrange([weak, named, good, best], RankingOptions(threshold=0.35, max_results=1))
    assert (shown, hidden) == ((best,), (good, named, weak))


def test_own_documents_and_what_came_late_take_no_place_from_the_first_list(scored_hit):
    """Of the web and of the library each as many are shown as are wanted; late ones stand behind, as they came, then by score."""
    web = [scored_hit(value) for value in (0.6, 0.5, 0.4)]
    own = [scored_hit(value, collection="user") for value in (0.9, 0.8, 0.7)]
    late = [scored_hit(value, late=turn) for value, turn in ((0.7, 2), (0.95, 2), (0.36, 1))]
    shown, hidden = arrange([*late, *own, *web], RankingOptions(threshold=0.35, max_results=2))
    assert shown == (web[0], web[1], late[2], late[1], own[0], own[1])
    assert hidden == (late[0], web[2], own[2])


def test_hidden_results_are_ordered_by_score_and_know_why(scored_hit):
    """Those over the count stand before those below the threshold, whoever names somebody."""
    results = [scored_hit(value, names=names) for value, names in ((0.2, ["GTC"]), (0.9, []), (0.7, []), (0.3, []), (0.8, []))]
    options = RankingOptions(threshold=0.5, max_results=1)
    _, hidden = arrange(results, options)
    assert [result.relevance_score for result in hidden] == [0.8, 0.7, 0.3, 0.2]
    reasons = [options.reason_hidden(result.relevance_score) for result in hidden]
    assert reasons == [HiddenReason.OVER_COUNT] * 2 + [HiddenReason.BELOW_THRESHOLD] * 2


def test_unscored_results_are_shown_in_the_order_found(hit):
    """What could not be scored cannot be held against the threshold."""
    results = [hit(title="first"), hit(title="second")]
    shown, hidden = arrange(results, RankingOptions(threshold=0.9))
    assert ([result.title for result in shown], hidden) == (["first", "second"], ())


def test_a_blog_with_many_results_keeps_no_other_site_out(scored_hit):
    """Three of a site stand in a row; then comes what is half as likely to answer from elsewhere, and no weaker one."""
    blog = [scored_hit(0.9 - 0.05 * place, url=f"https://blog.example/{place}") for place in range(6)]
    other, weak = scored_hit(0.5, url="https://news.example/1"), scored_hit(0.2, url="https://weak.example/1")
    shown, hidden = arrange([*blog, other, weak], RankingOptions(threshold=0.05, max_results=6))
    assert shown == (*blog[:3], other, *blog[3:5])
    assert hidden == (blog[5], weak)
    assert arrange([*blog, weak], RankingOptions(threshold=0.05, max_results=6))[0] == tuple(blog)
