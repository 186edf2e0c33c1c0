// SHA-256 (FIPS 180-4) without `crypto.subtle`, which is missing outside secure contexts and slow for many short texts

const isPrime = (n: number) => {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
  return true;
};
const primes = Array.from({ length: 310 }, (_, index) => index + 2).filter(isPrime);
const fractionBits = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const K = Int32Array.from(primes.slice(0, 64), (prime) => fractionBits(Math.cbrt(prime)));
const START = Int32Array.from(primes.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)));
const rotateRight = (x: number, bits: number) => (x >>> bits) | (x << (32 - bits));

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
            (rotateRight(x, 7) ^ rotateRight(x, 18) ^ (x >>> 3)) +
            (w[t - 7] as number) +
            (rotateRight(y, 17) ^ rotateRight(y, 19) ^ (y >>> 10))) |
          0;
      }
    }
    let [a, b, c, d, e, f, g, last] = h as unknown as [number, number, number, number, number, number, number, number];
    for (let t = 0; t < 64; t++) {
      const temp1 =
        (last +
          (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
          ((e & f) ^ (~e & g)) +
          (K[t] as number) +
          (w[t] as number)) |
        0;
      const temp2 = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, last] = [(temp1 + temp2) | 0, a, b, c, (d + temp1) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, last].forEach((value, index) => {
      h[index] = ((h[index] as number) + value) | 0;
    });
  }
  return Array.from(h, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
