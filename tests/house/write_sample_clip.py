"""Draws the clip of the first sample video from its own subtitles: `python -m tests.house.write_sample_clip` (needs PyAV)."""

from __future__ import annotations

import textwrap
from fractions import Fraction
from pathlib import Path

import av
from PIL import Image, ImageDraw, ImageFont

from search_core.domain.video import VideoContext
from search_core.video.upload import samples

ROOT = Path(__file__).parents[2]
SIZE, RATE = (640, 360), 2
GROUND, INK, DIM, ACCENT = (17, 24, 39), (243, 244, 246), (148, 163, 184), (95, 123, 245)
LINE_CHARS = 26


def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(ROOT / "static" / "PretendardVariable.woff2", size)


def draw(video: VideoContext, at_s: float) -> Image.Image:
    """Return what is seen at a moment: the part of the talk, what is said, and how far it is."""
    slide = Image.new("RGB", SIZE, GROUND)
    pen = ImageDraw.Draw(slide)
    part = next((each.title for each in reversed(video.chapters) if each.start_s <= at_s), video.title)
    said = next((each.text for each in reversed(video.transcript) if each.start_s <= at_s), "")
    pen.text((32, 28), part, font=_font(22), fill=ACCENT)
    lines = textwrap.wrap(" ".join(said.split()), LINE_CHARS)
    top = SIZE[1] // 2 - 20 * len(lines)
    for place, line in enumerate(lines):
        pen.text((SIZE[0] // 2, top + 40 * place), line, font=_font(26), fill=INK, anchor="ma")
    pen.text((32, 316), f"{int(at_s) // 60:02}:{int(at_s) % 60:02}", font=_font(16), fill=DIM)
    pen.rectangle((90, 324, 90 + round(518 * at_s / (video.duration_s or 1)), 328), fill=ACCENT)
    return slide


def main() -> None:
    """Write the clip beside the subtitles."""
    video = samples()[0]
    with av.open(str(ROOT / "samples" / "videos" / f"{video.video_id}.mp4"), "w", options={"movflags": "faststart"}) as file:
        stream = file.add_stream("libx264", rate=RATE, options={"crf": "30", "preset": "slow", "tune": "stillimage", "g": "40"})
        stream.width, stream.height, stream.pix_fmt, stream.time_base = *SIZE, "yuv420p", Fraction(1, RATE)
        for number in range(int((video.duration_s or 0) * RATE)):
            file.mux(stream.encode(av.VideoFrame.from_image(draw(video, number / RATE))))
        file.mux(stream.encode(None))


if __name__ == "__main__":
    main()
