{{/* The controller's configuration, and what follows from it elsewhere. */}}

{{- define "waymark.configuration" -}}
{{- $config := .Values.manager.config -}}
{{- $concurrency := $config.controller.groupKindConcurrency -}}
apiVersion: config.trainer.kubeflow.org/v1alpha1
kind: Configuration
webhook:
  port: {{ int $config.webhook.port }}
  host: {{ quote $config.webhook.host }}
leaderElection:
  leaderElect: {{ $config.leaderElection.leaderElect }}
  resourceName: {{ quote $config.leaderElection.resourceName }}
  resourceNamespace: {{ include "waymark.leaseNamespace" . | quote }}
  leaseDuration: {{ quote $config.leaderElection.leaseDuration }}
  renewDeadline: {{ quote $config.leaderElection.renewDeadline }}
  retryPeriod: {{ quote $config.leaderElection.retryPeriod }}
metrics:
  bindAddress: {{ quote $config.metrics.bindAddress }}
  secureServing: {{ $config.metrics.secureServing }}
  auth:
    enabled: {{ $config.metrics.auth.enabled }}
health:
  healthProbeBindAddress: {{ quote $config.health.healthProbeBindAddress }}
  readinessEndpointName: {{ quote $config.health.readinessEndpointName }}
  livenessEndpointName: {{ quote $config.health.livenessEndpointName }}
controller:
  groupKindConcurrency:
    TrainJob.trainer.kubeflow.org: {{ int $concurrency.trainJob }}
    TrainingRuntime.trainer.kubeflow.org: {{ int $concurrency.trainingRuntime }}
    ClusterTrainingRuntime.trainer.kubeflow.org: {{ int $concurrency.clusterTrainingRuntime }}
certManagement:
  enable: {{ eq (include "waymark.certificates" .) "controller" }}
  webhookServiceName: {{ include "waymark.service" . }}
  webhookSecretName: {{ include "waymark.secret" . }}
crdManagement:
  enable: {{ $config.crdManagement.enable }}
clientConnection:
  qps: {{ $config.clientConnection.qps }}
  burst: {{ int $config.clientConnection.burst }}
statusServer:
  port: {{ int $config.statusServer.port }}
  qps: {{ $config.statusServer.qps }}
  burst: {{ int $config.statusServer.burst }}
  minWriteInterval: {{ quote $config.statusServer.minWriteInterval }}
  requirePodBoundTokens: {{ $config.statusServer.requirePodBoundTokens }}
{{- with $config.featureGates }}
featureGates:
  {{- toYaml . | nindent 2 }}
{{- end }}
tls:
  minVersion: {{ quote $config.tls.minVersion }}
  {{- with $config.tls.cipherSuites }}
  cipherSuites:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $config.tls.nextProtos }}
  nextProtos:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- if .Values.agent.enabled }}
agentInjection:
  {{- $registry := .Values.agent.image.registry | default .Values.image.registry }}
  {{- $image := merge (dict "registry" $registry) .Values.agent.image }}
  image: {{ include "waymark.image" (dict "image" $image "tag" .Chart.AppVersion) | quote }}
  {{- if .Values.agent.imageVolume }}
  imageVolume: true
  {{- end }}
  {{- with .Values.agent.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Who keeps the certificate: controller, cert-manager or operator. */}}
{{- define "waymark.certificates" -}}
{{- if .Values.certManager.enabled }}cert-manager
{{- else if .Values.manager.config.certManagement.enable }}controller
{{- else }}operator
{{- end }}
{{- end }}

{{- define "waymark.leaseNamespace" -}}
{{- .Values.manager.config.leaderElection.resourceNamespace | default .Release.Namespace -}}
{{- end }}

{{/* The port of an address such as ":8443"; nothing for "0" and "", which mean: don't listen. */}}
{{- define "waymark.port" -}}
{{- if contains ":" . }}{{ regexFind "[0-9]+$" . }}{{ end }}
{{- end }}

{{- define "waymark.metricsPort" -}}
{{- include "waymark.port" .Values.manager.config.metrics.bindAddress -}}
{{- end }}

{{- define "waymark.healthPort" -}}
{{- include "waymark.port" .Values.manager.config.health.healthProbeBindAddress -}}
{{- end }}

{{/* Port of the status server; nothing where the gate TrainJobStatus is off. */}}
{{- define "waymark.statusPort" -}}
{{- $gates := .Values.manager.config.featureGates | default dict -}}
{{- $on := true -}}
{{- if hasKey $gates "TrainJobStatus" }}
{{- $on = $gates.TrainJobStatus }}
{{- else if hasKey $gates "AllAlpha" }}
{{- $on = $gates.AllAlpha }}
{{- end }}
{{- if $on }}{{ int .Values.manager.config.statusServer.port }}{{ end }}
{{- end }}
