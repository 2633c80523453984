import { Parser } from 'saxen';

/** What a document is told as, element by element. Names are without their prefix. */
export interface XmlListener {
  open?(name: string, attributes: (name: string) => string | undefined): void;
  close?(name: string): void;
  text?(text: string): void;
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

/** Reads an XML document from beginning to end. Throws a plain error where it is none. */
export function readXml(xml: string, listener: XmlListener): void {
  const parser = new Parser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('openTag', (name, attributes, decode) => {
    listener.open?.(local(name), (wanted) => {
      const value = attributes()[wanted];
      return value === undefined ? undefined : decode(value);
    });
  });
  parser.on('closeTag', (name) => listener.close?.(local(name)));
  parser.on('text', (text, decode) => listener.text?.(decode(text)));
  parser.on('cdata', (text) => listener.text?.(text));
  parser.parse(xml);
}
