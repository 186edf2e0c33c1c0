/** Random letters, also where the page is not a secure context and `crypto.randomUUID` is missing. */
export const randomLetters = () => Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(36).padStart(2, '0')).join('')
