export interface SiteFile {
  mediaType: string;
  content: Buffer;
}

/** The contract itself, which the service also serves without the rest of the site. @param document what the YAML says */
export function contractFiles(yaml: Buffer, document: object): [path: string, file: SiteFile][] {
  return [
    ['openapi.yaml', { mediaType: 'application/yaml', content: yaml }],
    ['openapi.json', { mediaType: 'application/json', content: Buffer.from(`${JSON.stringify(document, null, 2)}\n`) }],
  ];
}
