/** The result of `work`, or undefined after `ms`. */
export const withTimeout = <T>(ms: number, work: Promise<T>) =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(resolve, ms))]);
