/**
 * Sends a trace of each request to an OpenTelemetry collector: `node --import ./examples/tracing/tracing.ts bin/api.ts`. Settings are those of
 * OpenTelemetry, such as OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_SERVICE_NAME.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const provider = new NodeTracerProvider({
  resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
registerInstrumentations({
  tracerProvider: provider,
  instrumentations: [
    new HttpInstrumentation({
      // Paths hold e-mail addresses and links: traces must not tell more than the log.
      startIncomingSpanHook: () => ({ 'url.path': '', 'url.query': '' }),
    }),
  ],
});
process.once('beforeExit', () => provider.shutdown());
