from itertools import pairwise

import pytest

from attn_lab.show.colours import BLACK, WHITE, contrast, luminance, shade


def test_black_on_white_has_the_largest_contrast():
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast("#777777", WHITE) == pytest.approx(4.48, abs=0.005)  # WCAG's known grey


def test_every_number_in_a_cell_has_a_contrast_of_at_least_4_5():
    worst = min(contrast(*shade(step / 1000)) for step in range(1001))
    assert worst >= 4.5


def test_the_map_grows_lighter_all_the_way_so_that_grey_paper_keeps_its_order():
    lights = [luminance(shade(step / 255)[0]) for step in range(256)]
    assert all(later > earlier - 2e-3 for earlier, later in pairwise(lights))
    assert lights[0] < 0.03 < 0.7 < lights[-1]


def test_values_beyond_the_scale_take_the_colour_of_its_end():
    assert shade(-0.2) == shade(0.0)
    assert shade(1.7) == shade(1.0)
