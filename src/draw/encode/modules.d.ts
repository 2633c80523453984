declare module 'pdfkit' {
  interface DocumentOptions {
    readonly autoFirstPage?: boolean;
    readonly compress?: boolean;
    readonly info?: Readonly<Record<string, string | Date>>;
  }
  /** The part of pdfkit that is used here. */
  class PDFDocument {
    constructor(options?: DocumentOptions);
    registerFont(name: string, font: Buffer): this;
    addPage(options: { size: [number, number]; margin: number }): this;
    on(event: 'data', listener: (chunk: Buffer) => void): this;
    on(event: 'end', listener: () => void): this;
    end(): void;
  }

  export = PDFDocument;
}

declare module 'svg-to-pdfkit' {
  import type PDFDocument from 'pdfkit';

  interface SvgOptions {
    readonly width: number;
    readonly height: number;
    readonly assumePt: boolean;
    readonly fontCallback: (family: string, bold: boolean) => string;
    readonly warningCallback: (warning: string) => void;
  }
  function svgToPdf(document: PDFDocument, svg: string, x: number, y: number, options: SvgOptions): void;

  export = svgToPdf;
}

declare module 'subset-font' {
  interface SubsetOptions {
    readonly targetFormat: 'woff2' | 'truetype';
    readonly dropTables: readonly string[];
    readonly noLayoutClosure: boolean;
    readonly noHinting: boolean;
  }
  function subsetFont(font: Buffer, text: string, options: SubsetOptions): Promise<Buffer>;

  export = subsetFont;
}
