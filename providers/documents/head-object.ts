import type { BucketSettings } from '../../core/settings/document-settings.ts';
import { isAbsent, unless } from './bucket-refusals.ts';
import { connectBucket } from './document-bucket.ts';
import type { HeadKeeper } from './port.ts';

/** For its few bytes, the bucket has less time than for a document. */
const MAX_WAIT_MS = 10_000;

/** In the bucket of the documents, because machines that use it share no folder. */
export function createHeadObject(settings: BucketSettings): HeadKeeper {
  const s3 = connectBucket(settings);
  const place = { Bucket: settings.bucket, Key: `${settings.prefix}audit-head` };
  const inTime = () => ({ abortSignal: AbortSignal.timeout(MAX_WAIT_MS) });
  return {
    place: `s3://${place.Bucket}/${place.Key}`,
    async read() {
      const found = await unless(isAbsent, () => s3.getObject(place, inTime()));
      return (await found?.Body?.transformToString())?.trim();
    },
    async write(text) {
      await unless(
        () => false,
        () => s3.putObject({ ...place, Body: `${text}\n`, ContentType: 'text/plain' }, inTime()),
      );
    },
  };
}
