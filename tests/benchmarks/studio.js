// A microphone to speak into, and one recording of what went in beside what came out.
// Both are measured by the same audio clock, so that the time between them needs no other.
(() => {
  const HOP = 256; // samples at 48 kHz: 5.3 ms
  const devices = navigator.mediaDevices;
  let context, mouth, both;

  const meter = { said: [], heard: [] };
  const levels = (samples, into) => {
    for (let at = 0; at + HOP <= samples.length; at += HOP) {
      let sum = 0;
      for (let i = at; i < at + HOP; i++) sum += samples[i] * samples[i];
      into.push(Math.round(Math.sqrt(sum / HOP) * 32767));
    }
  };

  const studio = () => {
    if (context) return context;
    context = new AudioContext({ sampleRate: 48000 });
    mouth = context.createMediaStreamDestination();
    both = context.createChannelMerger(2);
    const recorder = context.createScriptProcessor(4096, 2, 1);
    recorder.onaudioprocess = (event) => {
      levels(event.inputBuffer.getChannelData(0), meter.said);
      levels(event.inputBuffer.getChannelData(1), meter.heard);
    };
    both.connect(recorder).connect(context.destination);
    const idle = context.createConstantSource();
    const silent = context.createGain();
    silent.gain.value = 0;
    idle.connect(silent);
    silent.connect(mouth);
    silent.connect(both, 0, 0);
    idle.start();
    return context;
  };

  devices.getUserMedia = async () => {
    studio();
    return new MediaStream(mouth.stream.getAudioTracks().map((track) => track.clone()));
  };

  window.__say = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const source = studio().createBufferSource();
    source.buffer = await studio().decodeAudioData(bytes.buffer);
    source.connect(mouth);
    source.connect(both, 0, 0);
    const at = performance.timeOrigin + performance.now();
    source.start();
    return new Promise((done) => {
      source.onended = () => done({ at, seconds: source.buffer.duration });
    });
  };

  // Levels (RMS of 16-bit samples) of every hop from `from` on.
  window.__levels = (from) => ({
    said: meter.said.slice(from),
    heard: meter.heard.slice(from),
  });
  window.__hops = () => meter.heard.length;

  const Connection = window.RTCPeerConnection;
  window.RTCPeerConnection = new Proxy(Connection, {
    construct(target, args) {
      const connection = new target(...args);
      connection.addEventListener("track", (event) => {
        if (event.track.kind !== "audio") return;
        const source = studio().createMediaStreamSource(new MediaStream([event.track]));
        source.connect(both, 0, 1);
        source.connect(context.destination);
      });
      return connection;
    },
  });
})();
