/** The /24 (IPv4) or /64 (IPv6) that an address belongs to: what one household or office looks like from outside. */
export const networkOf = (ip: string) => {
  const v4 = ip.replace(/^::ffff:/i, "");
  if (v4.includes(".")) return v4.split(".").slice(0, 3).join(".");
  // `::` stands for as many zeroes as are missing to eight groups: without them what follows would count as the network.
  const [before = [], after] = v4.split("::").map((half) => half.split(":").filter(Boolean));
  const zeroes = after ? Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0") : [];
  return [...before, ...zeroes, ...(after ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
};
