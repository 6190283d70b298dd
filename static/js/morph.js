// Turns what is on the page into what the server has sent. Existing nodes are changed, not replaced: that takes half as long
// and keeps the focus, and what the reader has opened or closed.

const READERS = "open"; // as in the settings of htmx in base.html

function copyAttributes(old, fresh) {
  for (const name of old.getAttributeNames()) if (name !== READERS && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    if (name === READERS) continue;
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

// A single node more or less than before is inserted or removed where the kinds differ, so that its neighbors stay.
function morphChildren(old, fresh) {
  const oldNodes = [...old.childNodes];
  const newNodes = [...fresh.childNodes];
  let surplus = newNodes.length - oldNodes.length;
  for (const newNode of newNodes) {
    const differs = () => oldNodes[0]?.nodeName !== newNode.nodeName;
    for (; surplus < 0 && differs(); surplus++) oldNodes.shift().remove();
    if (surplus > 0 && differs()) {
      old.insertBefore(newNode, oldNodes[0] ?? null);
      surplus--;
      continue;
    }
    const oldNode = oldNodes.shift();
    if (!oldNode.isEqualNode(newNode)) morph(oldNode, newNode);
  }
  for (const oldNode of oldNodes) oldNode.remove();
}

/** Change an element of the page into a fresh one. */
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
  } else if (old.nodeType === Node.TEXT_NODE) {
    old.data = fresh.data;
  } else {
    copyAttributes(old, fresh);
    morphChildren(old, fresh);
  }
}
