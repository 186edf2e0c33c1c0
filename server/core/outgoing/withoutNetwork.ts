import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";

// Imported first by processes that read files of others: no library can use the network, whatever a file requests.

const refuse = () => {
  throw new Error("this process has no network");
};
net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
dgram.Socket.prototype.send = refuse;
dgram.Socket.prototype.bind = refuse;
for (const module of [dns, dns.promises] as Record<string, unknown>[])
  for (const name of Object.keys(module)) if (/^(lookup|resolve|reverse)/.test(name)) module[name] = refuse;
for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"])
  Object.defineProperty(globalThis, name, { value: refuse, configurable: false, writable: false });
