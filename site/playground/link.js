// Links that hold the input: its JSON, compressed, in base64url, after #v1=. The part
// of an address after # is never sent to a server.

const linkPrefix = "#v1=";
const maxLink = 48 << 10; // characters of a link that is made; programs cut longer ones
const maxLinkRead = 1 << 20; // characters of a link that is read
const maxLinked = 2 << 20; // bytes that one may expand to

/** bytesOf reads a stream, of at most so many bytes. */
async function bytesOf(stream, most) {
  const chunks = [];
  let size = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error(`larger than ${most >> 20} MiB`);
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** linkOf is the fragment that holds an input. */
async function linkOf(input) {
  const packed = await bytesOf(new Blob([JSON.stringify(input)]).stream().pipeThrough(new CompressionStream("deflate-raw")), maxLinkRead);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const link = linkPrefix + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (link.length > maxLink) throw new Error(`the text is too long for a link: ${link.length >> 10} KiB compressed, at most ${maxLink >> 10}`);
  return link;
}

/** inputOf is the input that a fragment holds; undefined if it holds none. */
async function inputOf(fragment) {
  if (!fragment.startsWith(linkPrefix)) return undefined;
  if (fragment.length > maxLinkRead) throw new Error(`the link is longer than ${maxLinkRead >> 20} MiB`);
  let input;
  try {
    const binary = atob(fragment.slice(linkPrefix.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const bytes = await bytesOf(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")), maxLinked);
    input = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Error(`the link cannot be read: ${error.message}`);
  }
  const { text, name = "", kind = "auto" } = input ?? {};
  if ([text, name, kind].some((v) => typeof v !== "string")) throw new Error("the link holds no text");
  return { text, name, kind };
}
