/** The /24 (IPv4) or /64 (IPv6) that an address belongs to: what one household or office looks like from outside. */
export const networkOf = (ip: string) => {
  const v4 = ip.replace(/^::ffff:/i, '')
  return v4.includes('.') ? v4.split('.').slice(0, 3).join('.') : v4.split(':').slice(0, 4).join(':')
}
