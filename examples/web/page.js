import { load } from "./sm4.js";

const $ = (id) => document.getElementById(id);
const sm4 = await load("sm4_web.wasm");

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
function fromHex(digits) {
  if (!/^[0-9a-fA-F]{32}$/.test(digits)) throw new Error("the key is not 32 hexadecimal digits");
  return Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
}
const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const fromBase64 = (text) => Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));

function newKey() {
  $("key").value = toHex(crypto.getRandomValues(new Uint8Array(16)));
}

function attempt(what, action) {
  try {
    action();
    $("said").textContent = what;
    $("said").className = "good";
  } catch (error) {
    $("said").textContent = `Refused: ${error.message}`;
    $("said").className = "bad";
  }
}

$("newKey").onclick = newKey;
$("seal").onclick = () => attempt("Sealed", () => {
  const text = new TextEncoder().encode($("plain").value);
  $("sealed").value = toBase64(sm4.seal(fromHex($("key").value), text));
});
$("open").onclick = () => attempt("Opened: the text is authentic", () => {
  $("plain").value = "";
  const text = sm4.open(fromHex($("key").value), fromBase64($("sealed").value));
  $("plain").value = new TextDecoder("utf-8", { fatal: true }).decode(text);
});
newKey();
