/** URL to register with an access code, also contained in the QR code. */
export const registrationLink = (code: string) => `${location.origin}/register?code=${code}`;
