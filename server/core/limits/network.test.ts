import { expect, test } from "vitest";
import { networkOf } from "#server/core/limits/network.ts";

test("IPv4 addresses of a /24 are one network, also when written as IPv6", () => {
  expect(networkOf("203.0.113.7")).toBe(networkOf("::ffff:203.0.113.250"));
  expect(networkOf("203.0.113.7")).not.toBe(networkOf("203.0.114.7"));
});

test("IPv6 addresses of a /64 are one network, also in abbreviated notation", () => {
  const all = [
    "2600:3c00::1",
    "2600:3c00::f03c:91ff:fe24:1",
    "2600:3c00::abcd:0:0:1",
    "2600:3c00:0:0:1:2:3:4",
    "2600:3c00::2:3:4",
    "2600:3C00:0::9",
  ];
  expect(new Set(all.map(networkOf)).size).toBe(1);
  expect(networkOf("2001:db8:1:2::9")).toBe(networkOf("2001:db8:1:2:a:b:c:d"));
  expect(networkOf("2001:db8:1:2::9")).not.toBe(networkOf("2001:db8:1:3::9"));
  expect(networkOf("2001:db8:1::9")).toBe(networkOf("2001:db8:1:0:5::"));
  expect(networkOf("::1")).not.toBe(networkOf("2600::1"));
});
