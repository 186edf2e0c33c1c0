// SHA-256 (FIPS 180-4) without `crypto.subtle`: that is missing where the page is no secure context, and slow for a million short texts

const isPrime = (n: number) => {
  for (let by = 2; by * by <= n; by++) if (n % by === 0) return false;
  return true;
};
const primes = Array.from({ length: 310 }, (_, at) => at + 2).filter(isPrime);
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const K = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));

/** SHA-256 of a text (UTF-8) as lower-case hex. */
export function sha256(text: string) {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const h = START.slice();
  const w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 64; t++) {
      if (t < 16) w[t] = view.getInt32(block + t * 4);
      else {
        const [x, y] = [w[t - 15] as number, w[t - 2] as number];
        w[t] =
          ((w[t - 16] as number) +
            (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) +
            (w[t - 7] as number) +
            (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) |
          0;
      }
    }
    let [a, b, c, d, e, f, g, last] = h as unknown as [number, number, number, number, number, number, number, number];
    for (let t = 0; t < 64; t++) {
      const one =
        (last + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[t] as number) + (w[t] as number)) |
        0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, last] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, last].forEach((value, at) => {
      h[at] = ((h[at] as number) + value) | 0;
    });
  }
  return Array.from(h, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
