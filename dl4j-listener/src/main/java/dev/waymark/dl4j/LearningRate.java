package dev.waymark.dl4j;

import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/**
 * The learning rate that a model works with now: that of its first layer that has one, by its
 * schedule. To be called on the thread that trains.
 */
final class LearningRate {
  private LearningRate() {}

  /** The rate at this iteration and epoch of the model; NaN if no layer has one to be known. */
  static double of(Model model) {
    Counters now = ModelFigures.counters(model);
    for (org.deeplearning4j.nn.api.Layer layer : layers(model)) {
      double rate = of(layer.conf().getLayer(), now);
      if (!Double.isNaN(rate)) {
        return rate;
      }
    }
    return Double.NaN;
  }

  private static org.deeplearning4j.nn.api.Layer[] layers(Model model) {
    if (model instanceof MultiLayerNetwork) {
      return ((MultiLayerNetwork) model).getLayers();
    }
    if (model instanceof ComputationGraph) {
      return ((ComputationGraph) model).getLayers();
    }
    // In pretraining each layer is trained by itself.
    return model instanceof org.deeplearning4j.nn.api.Layer
        ? new org.deeplearning4j.nn.api.Layer[] {(org.deeplearning4j.nn.api.Layer) model}
        : new org.deeplearning4j.nn.api.Layer[0];
  }

  private static double of(Layer configuration, Counters now) {
    return configuration instanceof BaseLayer
        ? now.learningRate(((BaseLayer) configuration).getIUpdater())
        : Double.NaN;
  }
}
