/** Formats that the server accepts, smallest first. */
const TYPES = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];
/** A minute of speech takes about 240 KB. */
const BITS_PER_SECOND = 32_000;

export const canRecord = () =>
  typeof MediaRecorder !== "undefined" && navigator.mediaDevices?.getUserMedia !== undefined;

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;

/**
 * Records from the microphone, in memory. Throws a `DOMException`: `NotAllowedError` if the person or the browser
 * refuses, `NotFoundError` if there is no microphone.
 */
export async function startRecorder() {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });
  try {
    return record(stream);
  } catch (error) {
    // The microphone must not stay open if nothing can be recorded.
    for (const track of stream.getTracks()) track.stop();
    throw error;
  }
}

function record(stream: MediaStream) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(stream).connect(analyser);
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS_PER_SECOND, ...(mimeType && { mimeType }) });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => void parts.push(data);
  recorder.start(250);
  const samples = new Float32Array(analyser.fftSize);
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
    if (context.state !== "closed") void context.close();
  };
  return {
    /** Loudness from 0 to 1. Nothing else is read from the sound. */
    level() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      return Math.min(1, Math.sqrt(power) * 6);
    },
    /** Ends the recording and releases the microphone. */
    finish: () =>
      new Promise<Blob>((resolve) => {
        recorder.onstop = () => {
          release();
          resolve(new Blob(parts, { type: recorder.mimeType }));
        };
        if (recorder.state === "inactive") recorder.onstop(new Event("stop"));
        else recorder.stop();
      }),
    /** Ends it without a recording. */
    discard() {
      recorder.onstop = null;
      if (recorder.state !== "inactive") recorder.stop();
      release();
    },
  };
}
