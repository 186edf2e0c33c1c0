/** Where people register with a code: what the QR code holds. */
export const registrationLink = (code: string) => `${location.origin}/register?code=${code}`;
