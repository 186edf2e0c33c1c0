/** The password of people in tests: accepted by the rules of `server/auth/password/weakness.ts`. */
export const PASSWORD = "gravel violet lantern";
