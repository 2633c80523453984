/**
 * Stands for `linkedom` in a page, which has a document of its own to draw in: what the drawing code asks of it is one call (`draw/plot.ts`). A
 * document that is shown nowhere runs nothing and loads nothing.
 */
export function parseHTML(): { readonly document: Document } {
  return { document: document.implementation.createHTMLDocument('') };
}
