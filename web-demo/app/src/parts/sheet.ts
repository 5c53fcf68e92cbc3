// Style rules written in code: for code views, shadow roots, and everything that looks like them.

export interface Rules {
  [selector: string]: { [property: string]: string };
}

const hyphened = (property: string): string => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const sheets = new Map<Rules, CSSStyleSheet>();

function sheetOf(rules: Rules): CSSStyleSheet {
  const known = sheets.get(rules);
  if (known) return known;
  const texts = Object.entries(rules).map(([selector, properties]) => {
    const said = Object.entries(properties).map(([property, value]) => `${hyphened(property)}: ${value};`);
    return `${selector} { ${said.join(' ')} }`;
  });
  const made = new CSSStyleSheet();
  made.replaceSync(texts.join('\n'));
  sheets.set(rules, made);
  return made;
}

/** Adds the rules to a root. Existing sheets stay. */
export function adopt(root: Document | ShadowRoot, rules: Rules): void {
  const sheet = sheetOf(rules);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
