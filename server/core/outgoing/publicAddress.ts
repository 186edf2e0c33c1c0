import ipaddr from "ipaddr.js";

/** The block of IPv6 that IANA assigns to global unicast addresses. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/**
 * True for an IP address of the public internet, in any notation. Addresses that the IANA registries of special-purpose
 * addresses (RFC 6890) list are not public: loopback, private, link-local with cloud metadata, shared, multicast,
 * documentation, and IPv6 addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string) {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST);
}
