/** Told with every result. The version rises with each change of what the engine finds; rules have versions of their own. */
export const ENGINE = { name: 'tenant-screening-forensics', version: '1.0.0' } as const;
