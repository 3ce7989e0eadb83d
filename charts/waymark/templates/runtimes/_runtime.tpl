{{/* The bundled runtimes: under which value each stands, and its name. */}}
{{- define "waymark.runtimeNames" -}}
djlCpu: djl-cpu
djlCuda: djl-cuda
dl4jCpu: dl4j-cpu
dl4jCuda: dl4j-cuda
jvmNpu: jvm-npu
torchDistributed: torch-distributed
jaxDistributed: jax-distributed
xgboostDistributed: xgboost-distributed
{{- end }}

{{/*
A runtime, if it is enabled: (dict "root" . "value" "djlCpu" "framework" "djl" "jvm" true), or with "policy" for a framework that
has an ML policy of its own. What JobSet holds fixed (network, failurePolicy, successPolicy, ...) can't be added in a later version.
*/}}
{{- define "waymark.runtime" -}}
{{- $root := .root -}}
{{- $runtimes := $root.Values.runtimes -}}
{{- $runtime := index $runtimes .value -}}
{{- $labels := merge (dict "trainer.kubeflow.org/framework" .framework) ($runtimes.commonLabels | default dict) -}}
{{- if or $runtime.enabled (and $runtimes.defaultEnabled $runtime.image.repository) -}}
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: {{ index (include "waymark.runtimeNames" . | fromYaml) .value }}
  labels:
    {{- include "waymark.labelsWith" (dict "root" $root "more" $labels) | nindent 4 }}
  {{- if and .jvm $root.Values.agent.enabled }}
  annotations:
    waymark.dev/inject-agent: "true"
  {{- end }}
spec:
  mlPolicy:
    numNodes: 1
    {{- with .policy }}
    {{ . }}: {}
    {{- end }}
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            metadata:
              labels:
                trainer.kubeflow.org/trainjob-ancestor-step: trainer
            spec:
              template:
                spec:
                  {{- with $runtime.runtimeClassName }}
                  runtimeClassName: {{ . }}
                  {{- end }}
                  {{- with $runtime.podSecurityContext }}
                  securityContext:
                    {{- toYaml . | nindent 20 }}
                  {{- end }}
                  {{- with $runtime.nodeSelector }}
                  nodeSelector:
                    {{- toYaml . | nindent 20 }}
                  {{- end }}
                  {{- with $runtime.tolerations }}
                  tolerations:
                    {{- toYaml . | nindent 20 }}
                  {{- end }}
                  containers:
                    - name: node
                      image: {{ include "waymark.image" (dict "image" $runtime.image "tag" (.tag | default "")) }}
                      {{- if or $runtime.env $runtime.javaToolOptions }}
                      env:
                        {{- with $runtime.env }}
                        {{- toYaml . | nindent 24 }}
                        {{- end }}
                        {{- with $runtime.javaToolOptions }}
                        - name: JAVA_TOOL_OPTIONS
                          value: {{ join " " . | quote }}
                        {{- end }}
                      {{- end }}
                      {{- with $runtime.resources }}
                      resources:
                        {{- toYaml . | nindent 24 }}
                      {{- end }}
                      {{- with $runtime.securityContext }}
                      securityContext:
                        {{- toYaml . | nindent 24 }}
                      {{- end }}
{{- end }}
{{- end }}
