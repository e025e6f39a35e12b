openapi-generator-cli generate -g typescript-fetch -i openapi.yaml -o client
npx tsc --strict --target es2022 --module commonjs --skipLibCheck --outDir built story.ts
