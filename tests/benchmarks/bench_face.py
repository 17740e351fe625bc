"""What the face costs: milliseconds a frame and the share of one core at 25 frames a second.

``python -m tests.benchmarks.bench_face`` prints one JSON row per figure.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path

import hibari
import numpy as np

from agent.avatar.attitude import Attitude
from agent.avatar.mouth_track import MouthTrack
from agent.avatar.renderer import Renderer
from agent.avatar.rig import Rig
from agent.avatar.sound_track import SoundTrack
from agent.local.synthesiser import RATE_HZ, Spoken, Synthesiser
from agent.worker.face_track import VideoTarget
from config.character import load_characters

FPS = 25
FRAMES = 250
SENTENCE = "The capital of Portugal is Lisbon, and it lies at the mouth of the river Tagus."


def milliseconds(one: Callable[[int], object], *, times: int = FRAMES) -> float:
    """Return processor time per call, the threads of this process included."""
    one(0)
    started = time.process_time()
    for i in range(times):
        one(i)
    return 1_000 * (time.process_time() - started) / times


def row(name: str, ms: float, **more: float) -> None:
    print(
        json.dumps(
            {
                "figure": f"face_{name}",
                "ms_per_frame": round(ms, 3),
                "core_share_at_25_fps": round(ms * FPS / 1_000, 4),
                **more,
            }
        )
    )


def mouths(spoken: Spoken) -> None:
    """Phonemes against sound, and how well they agree on the opening."""
    phonemes, sound = MouthTrack(), SoundTrack(RATE_HZ)
    phonemes.extend((p.text, p.start_s, p.end_s) for p in spoken.phonemes)
    sound.extend(0.0, spoken.pcm)
    times_s = np.arange(0.0, spoken.duration_s, 1 / FPS)
    started = time.process_time()
    by_sound = [sound.at(float(t_s)).open for t_s in times_s]
    cost_ms = 1_000 * (time.process_time() - started) / len(times_s)
    by_phonemes = [phonemes.at(float(t_s)).open for t_s in times_s]
    agreement = float(np.corrcoef(by_sound, by_phonemes)[0, 1])
    row("mouth_from_sound", cost_ms, agrees_with_phonemes=round(agreement, 3))
    row("mouth_from_phonemes", milliseconds(lambda i: phonemes.at(i / FPS)))


def main() -> None:
    voice = Path(hibari.__file__).parent / "assets" / "hibari.onnx"
    spoken = Synthesiser.load(voice).speak(SENTENCE)
    mouths(spoken)
    track = MouthTrack()
    track.extend((p.text, p.start_s, p.end_s) for p in spoken.phonemes)
    look = load_characters(None)["ada"].look
    rig = Rig(np.random.default_rng(1))

    def step(i: int) -> object:
        t_s = i / FPS % spoken.duration_s
        return rig.step(1 / FPS, (track.at(t_s - 0.02), track.at(t_s)), attitude=Attitude.SPEAKING)

    row("rig", milliseconds(step))
    faces = [
        rig.step(1 / FPS, (track.at(i / FPS % spoken.duration_s),), attitude=Attitude.SPEAKING)
        for i in range(FRAMES)
    ]
    for size_px in (384, 512, 720):
        drawing = Renderer(look, size_px)
        draw_ms = milliseconds(lambda i, d=drawing: d.draw(faces[i % FRAMES]))  # type: ignore[misc]  # bound per size
        row(f"draw_{size_px}px", draw_ms)
        target = VideoTarget(size_px)
        pixels = drawing.draw(faces[0])
        hand_over_ms = milliseconds(lambda _i, t=target, p=pixels: t.show(p))  # type: ignore[misc]  # bound per size
        row(f"hand_over_{size_px}px", hand_over_ms)


if __name__ == "__main__":
    main()
