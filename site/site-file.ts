export interface SiteFile {
  mediaType: string;
  content: Buffer;
}
