"""LiveKit's OpenAI recogniser; closed, it also closes its client, which LiveKit's leaves open."""

from livekit.plugins import openai
from typing_extensions import override


class OpenAISTT(openai.STT):
    """Ears at OpenAI or a compatible address."""

    @override
    async def aclose(self) -> None:
        await super().aclose()
        await self._client.close()
