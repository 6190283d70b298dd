// The sentences of scripts, in the reader's language: a template of the page gives each in an attribute, such as
// `<template data-say-copied="Copied">`.

/** The sentence of a name, with values put in the places that it has for them: `%(card)s`. */
export function wordsFor(name, values = {}) {
  const attribute = `data-say-${name}`;
  const sentence = document.querySelector(`template[${attribute}]`)?.getAttribute(attribute) ?? "";
  return sentence.replace(/%\((\w+)\)s/g, (place, key) => values[key] ?? place);
}
