// Gives the page a microphone that tests speak into, and keeps what its listener hears and sees.
(() => {
  const devices = navigator.mediaDevices;
  const real = devices.getUserMedia.bind(devices);
  let context, mouth, ear;

  const studio = () => {
    if (!context) {
      context = new AudioContext({ sampleRate: 48000 });
      mouth = context.createMediaStreamDestination();
      const idle = context.createConstantSource();
      const silent = context.createGain();
      silent.gain.value = 0;
      idle.connect(silent).connect(mouth);
      idle.start();
    }
    return context;
  };

  devices.getUserMedia = async (wanted) => {
    if (window.__micDenied) throw new DOMException("denied by the test", "NotAllowedError");
    if (window.__micMissing) throw new DOMException("none in the test", "NotFoundError");
    const given = new MediaStream();
    if (wanted.audio) {
      studio();
      mouth.stream.getAudioTracks().forEach((track) => given.addTrack(track.clone()));
    }
    if (wanted.video) {
      (await real({ video: wanted.video })).getVideoTracks().forEach((t) => given.addTrack(t));
    }
    return given;
  };

  const decoded = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return studio().decodeAudioData(bytes.buffer);
  };

  // Resolves when the sound has ended, with the time at which it began (ms since 1970).
  window.__say = async (base64) => {
    const source = studio().createBufferSource();
    source.buffer = await decoded(base64);
    source.connect(mouth);
    const at = performance.timeOrigin + performance.now();
    source.start();
    return new Promise((done) => {
      source.onended = () => done({ at, seconds: source.buffer.duration });
    });
  };

  window.__heard = { chunks: [], rate: 48000, firstAt: null };
  window.__echoGain = 0;
  // A connection has several receivers, most of them silent: all are heard through one ear.
  const openEar = (at) => {
    ear = at.createGain();
    const tape = at.createScriptProcessor(2048, 1, 1);
    tape.onaudioprocess = (event) => {
      const heard = window.__heard;
      if (heard.firstAt === null) heard.firstAt = performance.timeOrigin + performance.now();
      heard.chunks.push(event.inputBuffer.getChannelData(0).slice());
    };
    ear.connect(tape).connect(at.destination);
    const back = at.createGain();
    ear.connect(back).connect(mouth);
    const follow = () => {
      back.gain.value = window.__echoGain;
      setTimeout(follow, 100);
    };
    follow();
  };

  const listen = (track) => {
    const at = studio();
    if (!ear) openEar(at);
    at.createMediaStreamSource(new MediaStream([track])).connect(ear);
  };

  const inBase64 = (bytes) => {
    let text = "";
    for (let i = 0; i < bytes.length; i += 32768) {
      text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    }
    return btoa(text);
  };

  // 16-bit PCM of everything heard so far, in base64.
  window.__heardPcm = () => {
    const { chunks } = window.__heard;
    const all = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
      for (const sample of chunk) all[at++] = Math.max(-1, Math.min(1, sample)) * 32767;
    }
    return inBase64(new Uint8Array(all.buffer));
  };

  let looking;
  const faces = [];
  const look = () => {
    const video = document.querySelector('video[aria-label="Avatar"]');
    const context = new OffscreenCanvas(128, 128).getContext("2d");
    context.drawImage(video, 0, 0, 128, 128);
    faces.push(context.getImageData(0, 0, 128, 128).data);
  };

  window.__watch = () => {
    faces.length = 0;
    look();
    looking = setInterval(look, 100);
  };

  // The pictures since then, RGBA, one after the other, in base64.
  window.__seen = () => {
    clearInterval(looking);
    const all = new Uint8Array(faces.length * 128 * 128 * 4);
    faces.forEach((face, at) => all.set(face, at * face.length));
    return inBase64(all);
  };

  const Connection = window.RTCPeerConnection;
  window.__connections = [];
  window.RTCPeerConnection = new Proxy(Connection, {
    construct(target, args) {
      const connection = new target(...args);
      window.__connections.push(connection);
      connection.addEventListener("track", (event) => {
        if (event.track.kind === "audio") listen(event.track);
      });
      return connection;
    },
  });
})();
