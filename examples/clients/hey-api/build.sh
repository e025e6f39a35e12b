npx openapi-ts --input openapi.yaml --output client --no-log-file
npx tsc --strict --target esnext --module nodenext --skipLibCheck --outDir built story.ts
