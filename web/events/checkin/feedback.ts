import type { CheckInOutcome } from "#web/events/checkin/checkInCache.ts";

type Outcome = CheckInOutcome["outcome"];
let audio: AudioContext | null = null;

/**
 * Tones as pairs of pitch in Hz and start in seconds: rising for success, one low tone for a warning, falling for a
 * refusal.
 */
const tones: Record<Outcome, [pitch: number, at: number][]> = {
  checked_in: [
    [880, 0],
    [1320, 0.11],
  ],
  queued: [
    [880, 0],
    [880, 0.13],
  ],
  already: [[440, 0]],
  undone: [[520, 0]],
  not_confirmed: [
    [300, 0],
    [200, 0.16],
  ],
  unknown: [
    [300, 0],
    [200, 0.16],
  ],
  failed: [
    [300, 0],
    [200, 0.16],
  ],
};
const vibrations: Record<Outcome, number[]> = {
  checked_in: [80],
  queued: [80, 60, 80],
  already: [180],
  undone: [60],
  not_confirmed: [120, 80, 120, 80, 240],
  unknown: [120, 80, 120, 80, 240],
  failed: [120, 80, 120, 80, 240],
};

/**
 * Signals the result by vibration and, if `isSoundOn`, by sound, for organisers who look at the guest instead of the
 * screen.
 */
export function feedback(outcome: Outcome, isSoundOn: boolean) {
  navigator.vibrate?.(vibrations[outcome]);
  if (!isSoundOn) return;
  try {
    audio ??= new AudioContext();
    void audio.resume();
    for (const [pitch, at] of tones[outcome]) {
      const begin = audio.currentTime + at;
      const sound = audio.createOscillator();
      const volume = audio.createGain();
      sound.frequency.value = pitch;
      volume.gain.setValueAtTime(0.16, begin);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.18);
      sound.connect(volume).connect(audio.destination);
      sound.start(begin);
      sound.stop(begin + 0.2);
    }
  } catch {
    // No audio output: screen and vibration show the result.
  }
}
