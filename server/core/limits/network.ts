/**
 * The /24 (IPv4) or /64 (IPv6) prefix of an IP address: usually one household or office. IPv4-mapped IPv6 counts as
 * IPv4.
 */
export const networkOf = (ip: string) => {
  const v4 = ip.replace(/^::ffff:/i, "");
  if (v4.includes(".")) return v4.split(".").slice(0, 3).join(".");
  // `::` abbreviates zero groups (RFC 4291, section 2.2). They are restored, so that later groups are not taken for the
  // prefix.
  const [before = [], after] = v4.split("::").map((half) => half.split(":").filter(Boolean));
  const zeroes = after ? Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0") : [];
  return [...before, ...zeroes, ...(after ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
};
